import type { Place } from "../walkthrough/model.js";
import type { Player } from "../walkthrough/player.js";
import type { StopData, WalkthroughData } from "./contract";

/** A line of what would have retrieved lost evidence; see pages/components/walkthrough. */
export interface Fix {
  told: string;
  action: string;
  value: string;
  heading?: boolean;
  facts?: string[];
  /** Whether it speaks of what the page shows below, which an audience does not see. */
  below?: boolean;
  /** Whether its button begins the search. */
  searches?: boolean;
}

/** What the page that mounts a walkthrough can do. */
export interface Hooks {
  acts: string[];
  keys: [string, string][];
  send(name: string, value: unknown): void;
  moved(place: Place): void;
  presented(on: boolean): void;
  told(t: number, last: number): void;
  /** Saves the walkthrough as a GIF; not in a story, which loads nothing. */
  saveGif?(player: Player): Promise<void>;
}

/** What the drawing of a stop can ask for. */
export interface Act {
  go(stop: number): void;
  openStop(number: number): void;
  toNode(node: string): void;
  send(name: string, value: unknown): void;
  select(what: Selection | null): void;
  show(how: Partial<Options>): void;
  mark(passage: string, gold: boolean): void;
}

/** What was just done, and how it is undone if it can be. */
export interface Notice {
  told: string;
  undo?: () => void;
}

export type Selection = { node: string } | { edge: string };

/** How a walkthrough is shown: `graph` in place of the stage, of which `names` alone are listed and
 * `only` nodes with this term of the legend stand out. */
export interface Options {
  presenting: boolean;
  graph: boolean;
  names: boolean;
  only: string;
  keeps: Fix[];
  remark: [string, string];
  beside: string;
}

/** All that a picture is made of, beside the size of its window. */
export interface View {
  data: WalkthroughData;
  place: Place;
  /** Which part of a stop that lacks room for all of it, from 0. */
  page: number;
  stop: StopData;
  selected: Selection | null;
  options: Options;
  act: Act;
}
