export { buildExport } from './build-export.ts';
