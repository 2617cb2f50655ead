// The mechanism of SBP: the responses as a floor, the slack as water on it. (placeholder, written next)
import { Sheet } from "./draw.js";
export class Mechanism {
  constructor(section) {
    section.innerHTML = `<h3><b>Basin</b> <span class="caption"></span></h3><div class="view basin"></div>`;
    this.sheets = [new Sheet(section.querySelector(".basin"), "Responses and water level")];
  }
  prepare() {}
  paint() {}
}
export const values = (run, before, after, t) => ({ t, gamma: 0, i: 0, label: "", margin: 0, k: 0, eta: 0, scale: 1, evals: 0, lifted: 0, norm_added: 0, gamma_average: 0, b: 0, shore: 0 });
