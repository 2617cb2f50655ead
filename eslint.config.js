import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["svmviz/player/web/vendor/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node, MOUNTED: "readonly" } },
    rules: {
      "one-var": ["error", "never"],
      "prefer-const": ["error", { destructuring: "all" }],
      "no-var": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      eqeqeq: ["error", "smart"],
    },
  },
];
