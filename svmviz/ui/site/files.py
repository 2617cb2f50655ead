"""The files of a site, by their paths in its folder."""

import hashlib
import zlib
from dataclasses import dataclass, field


@dataclass
class Files:
    """What is written in the end. What is the same is there once, as its name says what is in
    it.
    """

    found: dict[str, bytes] = field(default_factory=dict)

    def keep(self, folder: str, ending: str, data: bytes) -> str:
        """The address of these bytes."""
        return self.named(f"{folder}/{hashlib.sha256(data).hexdigest()[:16]}.{ending}", data)

    def packed(self, folder: str, text: str) -> str:
        """The same of a text, deflated: few file servers do that by themselves."""
        return self.keep(folder, "z", zlib.compress(text.encode(), 9))

    def named(self, path: str, data: bytes) -> str:
        self.found[f"files/{path}"] = data
        return f"files/{path}"

    def page(self, name: str, text: str) -> None:
        self.found[name] = text.encode()
