import * as echarts from "echarts/core";
import { CustomChart, LineChart, ParallelChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendComponent, ParallelComponent, TitleComponent } from "echarts/components";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

echarts.use([CustomChart, LineChart, ParallelChart, ScatterChart, GridComponent, LegendComponent, ParallelComponent, TitleComponent, CanvasRenderer, SVGRenderer]);

export const init = echarts.init;
