export type { Asking } from './asking.ts';
export { callRecorder, recorded, type RecordCall } from './call-record.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export type { RulesAccess, Site, SiteFile } from './ports.ts';
export { createRateLimit, type RateLimit } from './rate-limit.ts';
export { createTraces, type Traces } from './traces/exporter.ts';
export { startHttp, type HttpLimits, type HttpOptions, type RunningHttp } from './server.ts';
