import { must } from './agent.ts';

/** A page as a browser without scripts has it. */
export interface Page {
  readonly status: number;
  readonly path: string;
  readonly html: string;
  /** What a person reads. */
  readonly text: string;
}

export interface Person {
  visit(path: string): Promise<Page>;
  /** Fills in a form of a page and sends it, unchanged but for `changes`; follows where the answer leads. */
  send(page: Page, form: string, changes?: Readonly<Record<string, string>>): Promise<Page>;
}

/** Somebody with a browser: keeps cookies, sends forms with everything that they carry, says where they come from. */
export function person(url: string): Person {
  const cookies = new Map<string, string>();

  async function ask(path: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', 'accept-language': 'de', cookie, ...init.headers },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const html = await answer.text();
    const to = answer.headers.get('location');
    if (answer.status === 303 && to !== null) return ask(to);
    return { status: answer.status, path, html, text: textOf(html) };
  }

  return {
    visit: path => ask(path),
    send(page, form, changes = {}) {
      const { action, fields } = formOf(page.html, form);
      return ask(action, {
        method: 'POST',
        headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, ...changes }).toString(),
      });
    },
  };
}

/** The form that holds `mark` in its tag, with the values that its fields have now. */
function formOf(html: string, mark: string): { readonly action: string; readonly fields: Record<string, string> } {
  const form = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(([, tag]) => tag!.includes(mark));
  must(form, `the page has a form ${mark}`);
  const [, tag = '', inside = ''] = form;
  const fields: Record<string, string> = {};
  for (const [, attributes = ''] of inside.matchAll(/<input\b([^>]*)>/g)) {
    const chosen = attribute(attributes, 'type') !== 'radio' || /\bchecked\b/.test(attributes);
    if (chosen) fields[attribute(attributes, 'name')] = attribute(attributes, 'value');
  }
  for (const [, attributes = '', value = ''] of inside.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g)) {
    fields[attribute(attributes, 'name')] = decoded(value.replace(/^\r?\n/, ''));
  }
  return { action: attribute(tag, 'action'), fields };
}

const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

const textOf = (html: string): string =>
  decoded(html.replace(/<(style|head)\b[\s\S]*?<\/\1>/g, ' ').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) =>
    name ? (NAMED[name] ?? whole) : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
