"""What the Save dialog gives: pictures without controls whose text is text, and clips of which each
frame shows its step.
"""

from xml.etree import ElementTree

import av
import numpy as np
import pypdf
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.page import MOONS, look, picture, until

SVG = "{http://www.w3.org/2000/svg}"
SHORT = "data=moons&n=60&noise=0.15&data_seed=1&seed=5&T=64"
CONTROLS = {"Play", "Draw", "Sorted", "Save", "Python", "Present", "short", "Quiz me", "step/s"}
RAIL = 3  # px above the lower edge: the middle of the rail
MAKE = """async wish => {
    const { modules } = await [...svmvizModules.values()][0];
    const blob = await modules["saving/clip.js"].clip(svmviz, wish, new AbortController().signal, () => {});
    const url = URL.createObjectURL(blob), link = Object.assign(document.createElement("a"), { href: url, download: "clip" });
    link.click();
}"""
PANELS = ["plane", "mechanism", "sentence"]


def texts(path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return [e.text for e in root.iter(f"{SVG}text") if not e.get("aria-hidden")]


def clip(page, **wish):
    """A clip made by the player, without its dialog."""
    usual = {
        "fps": 30,
        "speed": 30,
        "kind": "webm",
        "size": "854 × 480",
        "show": PANELS,
        "again": True,
        "back": False,
    }
    with page.expect_download(timeout=240_000) as found:
        page.evaluate(MAKE, usual | wish)
    return found.value.path()


def steps_in(path, T: int, colour: str) -> tuple[list[float], tuple[int, int]]:
    """The step that each frame shows: how far the rail at its lower edge is filled; and the size of
    the frames.
    """
    ink, found, size = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]), [], (0, 0)
    with av.open(str(path)) as video:
        for frame in video.decode(video=0):
            pixels = frame.to_ndarray(format="rgb24")
            row = pixels[-RAIL].astype(int)
            found.append(float((np.abs(row - ink).sum(axis=1) < 90).mean() * T))
            size = pixels.shape[1], pixels.shape[0]
    return found, size


@pytest.mark.parametrize("solver", ["pegasos", "sbp&nu=0.05&kernel=rbf(gamma=2.0)"])
def test_a_drawing_of_the_stage_has_its_text_as_text_and_no_controls(show, solver):
    page = show(f"{SHORT}&solver={solver}&t=20")
    saved = picture(page, "SVG")
    root = ElementTree.parse(saved.path()).getroot()
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title").text == look(
        page, "run.solver.title"
    )
    words = texts(saved.path())
    shown = page.evaluate(
        """[...svmviz.frame.querySelectorAll("h2, h3 b, .numbers dd, .lines output")]
        .filter(e => e.checkVisibility()).map(e => e.innerText.trim()).filter(Boolean)"""
    )
    assert len(shown) > 8 and {*shown} <= {*words}, {*shown} - {*words}
    assert any("after step 20 of 64" in line for line in words) and any(
        "t=20" in line for line in words
    )
    assert not CONTROLS & {*words}
    assert len(list(root.iter(f"{SVG}image"))) == 1, "the field has no shape, all else has"


def test_one_panel_can_be_had_alone_in_every_format(show):
    page = show(f"{SHORT}&t=20")
    box = page.evaluate("""(({ width, height }) => [width, height])(
        svmviz.frame.querySelector("section.plane").getBoundingClientRect())""")
    png = picture(page, "PNG", "Plane")
    assert png.suggested_filename == "pegasos-step-20-plane.png"
    with Image.open(png.path()) as image:
        assert (
            image.width / 2 == pytest.approx(box[0] + 48, abs=2) and image.height / 2 >= box[1] + 48
        )
    words = texts(picture(page, "SVG", "Weight space").path())
    assert (
        "Weight space" in words
        and "1 shrink" in words
        and not {"Plane", "Loss", "Pegasos"} & {*words}
    )
    pdf = pypdf.PdfReader(picture(page, "PDF", "Plane").path())
    (sheet,) = pdf.pages
    assert pdf.metadata.title == "Pegasos: Plane"
    assert "Plane" in sheet.extract_text() and "after step 20 of 64" in sheet.extract_text()
    assert float(sheet.mediabox.width) == pytest.approx(0.75 * (box[0] + 48), abs=2)
    assert look(page, "t") == 20


@pytest.mark.long
def test_the_stage_is_as_it_was_after_a_drawing_of_it(show):
    page = show(f"{SHORT}&solver=sbp&nu=0.05&kernel=rbf(gamma=2.0)&t=20")
    still = (
        "() => { svmviz.paint(); return [...svmviz.frame.querySelectorAll('canvas')].map(c =>"
        " c.width && c.toDataURL()); }"
    )
    before = page.evaluate(still)
    picture(page, "SVG")
    assert page.evaluate(still) == before


def test_a_clip_shows_a_step_in_each_frame_and_leaves_the_stage_alone(show):
    page = show(f"{SHORT}&t=20")
    found, size = steps_in(clip(page, **{"from": 5, "to": 28}), 64, look(page, "theme.ui"))
    assert size == (854, 480) and len(found) == 24
    assert np.abs(np.array(found) - np.arange(5, 29)).max() < 0.5
    assert (look(page, "t"), look(page, "playing")) == (20, False)
    assert page.locator(".film").count() == 0


@pytest.mark.long
def test_a_gif_goes_there_and_back(show):
    page = show(f"{SHORT}&t=20")
    path = clip(page, **{"from": 10, "to": 15, "kind": "gif", "back": True, "show": ["plane"]})
    found, size = steps_in(path, 64, look(page, "theme.ui"))
    assert size == (854, 480) and [round(step) for step in found] == [
        10,
        11,
        12,
        13,
        14,
        15,
        14,
        13,
        12,
        11,
    ]
    with Image.open(path) as image:
        assert image.info["loop"] == 0


@pytest.mark.long
def test_the_dialog_makes_a_clip_and_can_be_stopped(show):
    page = show(f"{SHORT}&t=20")
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Clip").click()
    dialog.get_by_label("First step").fill("1")
    dialog.get_by_label("Last step").fill("60")
    dialog.get_by_label("Last step").press("Tab")
    dialog.get_by_label("Speed").select_option("1")
    expect(dialog.locator(".note")).to_contain_text("60.0 s, 1800 frames")
    make = dialog.locator(".chief")
    make.click()
    expect(dialog.locator(".note")).to_contain_text("s left")
    expect(make).to_have_text("Cancel")
    make.click()
    expect(make).to_have_text("Save")
    until(page, "!document.querySelector('.film') && !svmviz.dialogs.saving.clips.making")
    dialog.get_by_label("Speed").select_option("60")
    dialog.get_by_label("Frames").select_option("15")
    dialog.get_by_label("As", exact=True).select_option("webm")
    expect(dialog.locator(".note")).to_contain_text("1.0 s, 15 frames")
    with page.expect_download() as found:
        make.click()
    assert found.value.suggested_filename == "pegasos-steps-1-60.webm"
    expect(dialog.locator(".note")).to_contain_text("Saved")
    with av.open(str(found.value.path())) as video:
        assert sum(1 for _ in video.decode(video=0)) == 15
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.long
def test_without_an_encoder_the_others_are_offered(show):
    page = show(f"{SHORT}&t=20")
    page.evaluate(
        "globalThis.hidden = VideoEncoder; delete globalThis.VideoEncoder; svmviz.dialogs.saving ="
        " undefined"
    )
    page.get_by_role("button", name="Save", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Clip").click()
    expect(dialog.locator(".note")).to_contain_text("cannot write MP4")
    expect(dialog.locator(".chief")).to_be_disabled()
    dialog.get_by_label("As", exact=True).select_option("gif")
    expect(dialog.locator(".chief")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.evaluate("globalThis.VideoEncoder = hidden; svmviz.dialogs.saving = undefined")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["mp4", "webm"])
def test_ten_seconds_are_three_hundred_frames(show, kind):
    page = show(f"{MOONS}&t=20")
    path = clip(page, **{"from": 1, "to": 300, "kind": kind, "size": "1280 × 720"})
    found, size = steps_in(path, 300, look(page, "theme.ui"))
    assert size == (1280, 720) and len(found) == 300
    assert np.abs(np.array(found) - np.arange(1, 301)).max() < 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    "address",
    [
        "?data=moons&n=60&solver=bsgd&B=12&T=90&t=60",
        "?data=blobs&solver=simba&T=90&t=60",
        "?solver=incremental&T=90&t=60",
        "race",
        "lessons?lesson=pegasos&card=2",
    ],
)
def test_whatever_is_on_stage_can_be_drawn_and_filmed(visitor, server, address):
    page = visitor()
    page.goto(f"{server}/{address}")
    page.wait_for_function("globalThis.svmviz?.draws > 0 && svmviz.run", timeout=180_000)
    words = texts(picture(page, "SVG").path())
    assert page.evaluate("svmviz.frame.querySelector('h2').textContent") in words
    T = look(page, "run.T")
    panels = PANELS if page.evaluate("svmviz.clipping.panels") else []
    found, _ = steps_in(
        clip(page, **{"from": 0, "to": min(T, 11), "show": panels}), T, look(page, "theme.ui")
    )
    assert len(found) == 12 and np.abs(np.array(found) - np.arange(12)).max() < max(0.5, T / 200)
