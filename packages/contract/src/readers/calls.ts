import { call } from "#base/call.ts";

const querier = <const M extends string>(method: M) =>
  call("POST", `/querier.v1.QuerierService/${method}` as const, "readKey");

export const queryProfileTypes = querier("ProfileTypes");
export const queryLabelNames = querier("LabelNames");
export const queryLabelValues = querier("LabelValues");
export const querySeries = querier("Series");
export const selectMergeStacktraces = querier("SelectMergeStacktraces");
export const selectMergeSpanProfile = querier("SelectMergeSpanProfile");
export const selectMergeProfile = querier("SelectMergeProfile");
export const selectSeries = querier("SelectSeries");
export const selectHeatmap = querier("SelectHeatmap");
export const queryDiff = querier("Diff");
export const queryProfileStats = querier("GetProfileStats");
export const analyzeQuery = querier("AnalyzeQuery");
export const readSettings = call("POST", "/settings.v1.SettingsService/Get", "readKey");
export const serviceMetrics = call("GET", "/metrics/services", "readKey");
export const renderProfiles = call("GET", "/pyroscope/render", "readKey");
export const renderDiff = call("GET", "/pyroscope/render-diff", "readKey");
export const renderLabelValues = call("GET", "/pyroscope/label-values", "readKey");
