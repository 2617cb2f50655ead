// What the line below a chart is given, and what it knows of Plotly.

/** What the line below a chart is given (charts/tools.js), and what it knows of Plotly. */
interface ChartTools {
  parentElement: HTMLElement | ShadowRoot;
  data: { file: string; numbers: boolean };
}

interface PlotlyChart extends HTMLElement {
  data: Record<string, any>[];
  layout: Record<string, any>;
  on?(event: string, hear: () => void): void; // once Plotly has drawn
  _fullData: Record<string, any>[];
  _fullLayout: Record<string, any>;
}
