import js from "@eslint/js";

export default [
  { ignores: ["dist/", "node_modules/"] },
  js.configs.recommended,
  {
    // The type checker knows which names exist.
    rules: { "no-undef": "off", eqeqeq: "error", complexity: ["error", 15], "max-lines": ["error", 300] },
  },
];
