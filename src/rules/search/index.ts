export { explained, stageA } from './stage-a.ts';
