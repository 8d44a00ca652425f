export { createMetrics, type Metrics } from './metrics.ts';
export { startHttp, type HttpLimits, type HttpOptions, type RunningHttp } from './server.ts';
