// What `core.maps.map_data` and `core.maps.messages` write.

/** Columns of all regions; `parent` is the row of a region's parent, -1 of the whole corpus. */
export interface RegionColumns {
  number: number[];
  parent: number[];
  name: string[];
  x: number[];
  y: number[];
  radius: number[];
  size: number[];
}

/** Columns of the units of the smallest regions; without titles each unit is such a region itself. */
export interface UnitColumns {
  x: number[];
  y: number[];
  radius: number[];
  region: number[];
  title?: string[];
  degree?: number[];
  text?: string[];
}

/** Columns of edges between units; `similarity` in hundredths, `count` if a row is several edges. */
export interface EdgeColumns {
  source: number[];
  target: number[];
  similarity: number[];
  count?: number[];
}

export interface MapData {
  passages: number;
  regions: RegionColumns;
  units: UnitColumns;
  edges: EdgeColumns;
  /** The network of PyVis; none in an exported page, which has it already. */
  network?: { nodes: object[]; edges: object[]; options: object };
  said?: MapSettings | null;
}

/** A field to colour by: `of` has for each passage the place of its value in `labels`. */
export interface Field {
  name: string;
  labels: string[];
  of: number[];
}

/** Gold of a run: how often each unit is gold, and how often it was missed. */
export interface Heat {
  rows: [unit: number, gold: number, missed: number][];
  note: string;
}

export interface Frame {
  say: string;
  seeds: number[];
  hops: [source: number, target: number][];
  hits: number[];
}

/** A retrieval that is played; `gold` has its gold passages, and whether each was missed. */
export interface Retrieval {
  question: string;
  frames: Frame[];
  gold: [unit: number, isMissed: number][];
}

/** What the map shows besides the corpus; `hidden` has a bit for each passage that is shown. */
export interface MapSettings {
  focus?: number | null;
  hidden?: string | null;
  field?: Field | null;
  heat?: Heat | null;
  walk?: Retrieval | null;
}

/** A passage or region that was selected. */
export interface Selection {
  kind: "passage" | "region";
  number: number;
}

export interface Region {
  number: number;
  id: number;
  parent: number;
  depth: number;
  /** Its ancestor of depth 1, or the region itself. */
  top: number;
  children: number[];
  name: string;
  size: number;
  x: number;
  y: number;
  radius: number;
}

/** The part of the map in view. */
export interface View {
  scale: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Whether it is nearer than the view of the whole corpus. */
  nearer: boolean;
}

/** Edges between two nodes that are drawn as one line. */
export interface Connection {
  id: string;
  from: number;
  to: number;
  edges: number;
}

export type Box = [left: number, top: number, right: number, bottom: number];
export type Point = [x: number, y: number];
export type Circle = [x: number, y: number, radius: number];
/** A circle and the number of its region. */
export type RegionCircle = [x: number, y: number, radius: number, region: number];

/** What is used of vis-network. */
export interface Network {
  on(event: string, listener: (event: any) => void): void;
  getScale(): number;
  getViewPosition(): { x: number; y: number };
  canvasToDOM(place: { x: number; y: number }): { x: number; y: number };
  moveTo(options: object): void;
  redraw(): void;
  destroy(): void;
}

/** What is used of the data sets of vis-network. */
export interface DataSet {
  clear(): void;
  remove(ids: number[]): void;
  update(items: object[]): void;
  add(items: object[]): void;
  getIds(): number[];
}
