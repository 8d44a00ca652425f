import { html } from 'hono/html';
import type { Status } from '../ports.ts';
import type { Words } from '../words/en.ts';
import type { Html } from './foreign.ts';

export const statusBadge = (words: Words, status: Status): Html =>
  html`<span class="badge ${status}">${words.status[status]}</span>`;

export const rulePath = (ruleId: string): string => `/approval/rules/${ruleId}`;

export const ruleLink = (ruleId: string): Html => html`<a class="ref" href="${rulePath(ruleId)}">${ruleId}</a>`;

/** A day or an instant as people read it. */
export const time = (machine: string, people: string): Html => html`<time datetime="${machine}">${people}</time>`;
