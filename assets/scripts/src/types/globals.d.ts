import type { DataSet, Network } from "../map/map_data";
import type { MapSlot } from "../map/map_slots.js";
import type { MapView } from "../map/map_view.js";

/** What scripts of the same page share: each of them is a module of its own in the browser. */
declare global {
  /** Names of the page scripts that run in this page. */
  var __hopScripts: Set<string> | undefined;
  /** Moves the focus to the view that is shown. */
  var __hopHome: (() => void) | undefined;
  var __hopWalkthrough: { root: HTMLElement } | undefined;
  /** The theme that Python was told last. */
  var __hopTheme: string | undefined;
  /** For each scroll target, how many scroll requests were handled. */
  var __hopScrolled: Record<string, number> | undefined;
  /** Maps and their messengers, by name. */
  var __hopMaps: Map<string, MapSlot> | undefined;
  /** The map that was drawn last, for tests. */
  var __hopMap: MapView | undefined;

  /** vis-network, which the wheel of PyVis has. */
  var vis: {
    DataSet: new (items: object[]) => DataSet;
    Network: new (stage: HTMLElement, items: { nodes: DataSet; edges: DataSet }, options: object) => Network;
  };
}
