// How a walkthrough is shown where nobody asks for anything else.

/** @type {import("./view").Options} */
export const SHOWN = {
  presenting: false,
  graph: false,
  names: false,
  only: "",
  keeps: [],
  remark: ["", ""],
  beside: "",
};
