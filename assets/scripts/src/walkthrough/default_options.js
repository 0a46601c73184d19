// How a walkthrough is shown where nobody asks for anything else.

/** @import { Options } from "../types/view" */

/** @type {Options} */
export const SHOWN = {
  presenting: false,
  graph: false,
  names: false,
  only: "",
  keeps: [],
  remark: ["", ""],
  beside: "",
};
