// What Streamlit and `mount.py` hand to a script of this folder.

/** What Streamlit gives to a component, with the data that it was mounted with. */
interface Mounted<Data = any> {
  parentElement: any;
  data: Data;
  setTriggerValue(name: string, value: unknown): void;
}

/**
 * What `mount.py` tells a script of `mounted/`: where the player's files are, the module of the
 * stage, its styles.
 */
declare const MOUNTED: [string, string, string[]];
