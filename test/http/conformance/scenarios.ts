/** Scenarios of the conformance suite that this server runs. */
export const RUN: readonly string[] = [
  'server-initialize',
  'server-session-lifecycle',
  'server-stateless',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
];

const NO_RESOURCES = 'the server offers no resources';
const NO_PROMPTS = 'the server offers no prompts';
const ASKS_NOTHING = 'the server asks its clients for nothing: no sampling, elicitation or roots';
const NOT_JSON = 'tools answer JSON, as text and as structured content, and no other kind of content';
const NO_TASKS = 'the tasks extension is not offered';
const NO_SKILLS = 'the skills extension is not offered; skills are pages, read with tools';

/** The others, and why they do not apply. A name that ends in `*` stands for all that begin so. */
export const SKIPPED: Readonly<Record<string, string>> = {
  'logging-set-level': 'the server sends no log messages to clients',
  'completion-complete': 'the server completes no arguments',
  'tools-call-image': NOT_JSON,
  'tools-call-audio': NOT_JSON,
  'tools-call-embedded-resource': NOT_JSON,
  'tools-call-mixed-content': NOT_JSON,
  'tools-call-with-logging': 'the server sends no log messages to clients',
  'tools-call-sampling': ASKS_NOTHING,
  'tools-call-elicitation': ASKS_NOTHING,
  'elicitation-*': ASKS_NOTHING,
  'input-required-*': ASKS_NOTHING,
  'json-schema-2020-12':
    'needs a tool whose schema has `$defs` and `$ref`; ours have none, since clients drop such tools',
  'server-sse-polling': 'answers are JSON, not streams to be resumed',
  'resources-*': NO_RESOURCES,
  'sep-2164-resource-not-found': NO_RESOURCES,
  'prompts-*': NO_PROMPTS,
  'http-custom-header-server-validation': 'no tool maps an argument to a header',
  'tasks-*': NO_TASKS,
  'sep-2640-*': NO_SKILLS,
};

/** Single checks of scenarios above that cannot pass here, and why; they must fail, or the list is out of date. */
export const UNTESTABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': ASKS_NOTHING,
    'sep-2575-missing-capability-http-400': ASKS_NOTHING,
    'sep-2575-http-server-no-independent-requests-on-stream': ASKS_NOTHING,
  },
  caching: {
    'sep-2549-prompts-list-caching-hints': NO_PROMPTS,
    'sep-2549-resources-list-caching-hints': NO_RESOURCES,
    'sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
  },
  'server-sse-multiple-streams': {
    'server-sse-multiple-streams-session': 'the server has no sessions (2025-11-25 only)',
  },
};

/** Why a scenario does not apply; undefined when it does, or when nobody decided yet. */
export const reasonFor = (scenario: string): string | undefined =>
  Object.entries(SKIPPED).find(([name]) =>
    name.endsWith('*') ? scenario.startsWith(name.slice(0, -1)) : scenario === name,
  )?.[1];
