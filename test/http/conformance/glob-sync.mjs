// The suite is built for Node 22 and imports fs.globSync, which Node 20 lacks and which its server scenarios never call.
import { register } from 'node:module';

const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const url = JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`);
const hooks = `export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/conformance/dist/')
    ? { url: ${url}, shortCircuit: true }
    : next(specifier, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
