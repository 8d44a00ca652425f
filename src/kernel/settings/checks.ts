import { sourceText } from './candidate.ts';
import { checkCredentials } from './check-credentials.ts';
import { checkRules } from './check-rules.ts';
import type { Values } from './merge.ts';
import { KEYS, rowOf, usualVariable, type Key } from './names.ts';
import { PARTS } from './parts.ts';
import type { Refusal, Warning } from './refusal.ts';

/** A choice and what it cannot do without. `begins`: the start of the chosen value, instead of the whole. */
interface Need {
  readonly key: Key;
  readonly is?: string;
  readonly begins?: string;
  readonly needs: readonly Key[];
}

const S3_LAKE = ['ducklake.s3_endpoint', 'ducklake.s3_access_key_id', 'ducklake.s3_secret_access_key'] as const;
const S3 = [
  'storage.s3.bucket',
  'storage.s3.endpoint',
  'storage.s3.access_key_id',
  'storage.s3.secret_access_key',
] as const;

// N028, N032, N036, N038, N059-N062, N065.
const NEEDS: readonly Need[] = [
  { key: 'embedding.provider', is: 'local', needs: ['embedding.model'] },
  { key: 'embedding.provider', is: 'openai', needs: ['embedding.model', 'embedding.url'] },
  { key: 'storage.backend', is: 's3', needs: S3 },
  { key: 'storage.backend', is: 'gcs', needs: ['storage.gcs.bucket'] },
  { key: 'storage.backend', is: 'duckvfs', needs: ['storage.duckvfs.root'] },
  { key: 'storage.duckvfs.root', begins: 'gdrive://', needs: ['storage.duckvfs.drive_id'] },
  { key: 'index.backend', is: 'ducklake', needs: ['ducklake.catalog_dsn', 'ducklake.data_path'] },
  { key: 'ducklake.data_path', begins: 'gs://', needs: ['ducklake.gcs_key_id', 'ducklake.gcs_secret'] },
  { key: 'ducklake.data_path', begins: 's3://', needs: S3_LAKE },
  { key: 'ducklake.data_path', begins: 'gdrive://', needs: ['ducklake.gdrive_drive_id'] },
];

/** Looks at values that are each valid by themselves: do they go together? `root` is what cairn.json holds. */
export function checkValues(values: Values, root: Readonly<Record<string, unknown>>): readonly Refusal[] {
  return [...checkCredentials(values), ...missing(values), ...replicas(values), ...checkRules(values, root)];
}

/** The name to use for a setting in a message. */
function nameOf(key: Key): string {
  return usualVariable(rowOf(key)) ?? key;
}

function missing(values: Values): Refusal[] {
  return NEEDS.filter(({ key, is, begins }) => {
    const value = values.get(key);
    return value === is || (begins !== undefined && typeof value === 'string' && value.startsWith(begins));
  }).flatMap(({ key, is, begins, needs }) =>
    needs
      .filter(need => !values.isGiven(need))
      .map(need => ({
        code: rowOf(need).secret ? ('secret-missing' as const) : ('setting-missing' as const),
        message: `${nameOf(need)} is missing; ${key} ${is ?? `${begins}…`} needs it`,
      })),
  );
}

function replicas(values: Values): Refusal[] {
  if (values.get('replica.role') !== 'reader' || values.get('index.backend') === 'ducklake') return [];
  const asked = sourceText(values.source('replica.role'));
  return [
    { code: 'reader-needs-ducklake', message: `${asked} is reader, which needs ${nameOf('index.backend')} ducklake` },
  ];
}

/** One warning for every given setting of a part that this version does not carry (rules-gaps 12). */
export function unused(values: Values): readonly Warning[] {
  return KEYS.filter(key => values.isGiven(key) && !PARTS[rowOf(key).part].built)
    .filter(key => rowOf(key).part !== 'client') // Settings of the client are no business of the server.
    .map(key => ({
      code: 'part-not-built',
      message: `${sourceText(values.source(key))} has no effect: ${PARTS[rowOf(key).part].says} is not part of this version`,
    }));
}
