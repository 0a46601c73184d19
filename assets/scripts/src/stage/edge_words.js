// What is said of an edge beside its question: the question that it matches, and the way it is walked.

import { termOf } from "../common/text.js";

/** @import { EdgeData, WalkthroughData } from "../types/contract" */

/** Both questions of an edge, for the one that is shown; nothing where they are the same. @param {WalkthroughData} data @param {EdgeData} edge */
export const bothQuestions = ({ nodes }, { source, target, raised, question }) =>
  raised && raised !== question
    ? `'${nodes[target].title}' answers '${question}'\n'${nodes[source].title}' raises '${raised}'`
    : null;

/** Whether an edge that leads a walk to a node points away from it. @param {EdgeData | undefined} edge @param {string} node */
export const isBackwards = (edge, node) =>
  Boolean(edge?.is_pseudo_query) && edge?.source === node && edge.target !== node;

/** The way an edge is walked, with its ends on hover. @param {WalkthroughData} data @param {EdgeData} edge @param {string} words */
export const backwardsOf = ({ nodes, glossary }, { source, target }, words) =>
  termOf(`${nodes[source].title} → ${nodes[target].title}\n${glossary.backwards}`, words);
