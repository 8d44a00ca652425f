import { describe, expect, test } from 'vitest';
import { devTokenVerifier, openVerifier } from '../../src/auth/index.ts';
import { refusal } from '../support/refusal.ts';

const AGENT = 'agent-token-of-at-least-32-characters';
const ADMIN = 'admin-token-of-at-least-32-characters';
const tokens = devTokenVerifier({ tenant: 'acme', identity: 'dev@example.org', mcpToken: AGENT, adminToken: ADMIN });

describe('a bearer header', () => {
  test.each([undefined, ''])('[AU1] %j is no credential', async header => {
    expect(await refusal(tokens.verify(header))).toMatchObject({ code: 'unauthorized' });
  });

  test.each(['Bearer ', 'bearer '])('[AU2] the spelling %j is accepted', async scheme => {
    expect(await tokens.verify(scheme + AGENT)).toMatchObject({ subject: 'dev@example.org' });
  });

  test.each([
    AGENT,
    `BEARER ${AGENT}`,
    `Bearer\t${AGENT}`,
    `Bearer${AGENT}`,
    ` Bearer ${AGENT}`,
    `Basic ${AGENT}`,
    'Bearer',
  ])('[AU2] %j is refused', async header => {
    expect(await refusal(tokens.verify(header))).toMatchObject({ code: 'unauthorized' });
  });

  test.each([
    `Bearer ${AGENT}, Bearer ${ADMIN}`,
    `Bearer ${AGENT}, Bearer ${AGENT}`,
    `Bearer ${AGENT},${AGENT}`,
    `Bearer ${AGENT} ${ADMIN}`,
    `Bearer  ${AGENT}`,
    `Bearer ${AGENT} `,
    'Bearer ',
    'Bearer ,',
  ])('[AU3] %j does not hold exactly one credential', async header => {
    expect(await refusal(tokens.verify(header))).toMatchObject({
      code: 'unauthorized',
      message: 'token rejected: the header must hold exactly one credential',
    });
  });
});

describe('dev tokens', () => {
  test('[AU6] the agent token stands for the identity, metered and no admin', async () => {
    expect(await tokens.verify(`Bearer ${AGENT}`)).toEqual({
      tenant: 'acme',
      subject: 'dev@example.org',
      groups: [],
      admin: false,
      metered: true,
      grantIdentity: { auth: 'email', identity: 'dev@example.org' },
    });
  });

  test('[AU6] the admin token stands for the same identity as admin', async () => {
    expect(await tokens.verify(`Bearer ${ADMIN}`)).toEqual({
      tenant: 'acme',
      subject: 'dev@example.org',
      groups: [],
      admin: true,
      metered: true,
    });
  });

  test('[AU6] without an admin token nobody is admin', async () => {
    const agentOnly = devTokenVerifier({ tenant: 'acme', identity: 'dev@example.org', mcpToken: AGENT });
    expect(await agentOnly.verify(`Bearer ${AGENT}`)).toMatchObject({ admin: false });
    expect(await refusal(agentOnly.verify(`Bearer ${ADMIN}`))).toMatchObject({ code: 'unauthorized' });
    expect(await refusal(agentOnly.verify('Bearer undefined'))).toMatchObject({ code: 'unauthorized' });
  });

  test.each([AGENT.slice(0, -1), `${AGENT}x`, AGENT.toUpperCase(), 'x'])(
    '[AU4, AU6] the token %j is rejected, and not repeated',
    async token => {
      const { code, message } = await refusal(tokens.verify(`Bearer ${token}`));
      expect(code).toBe('unauthorized');
      expect(message).toMatch(/^token rejected: /);
      expect(message.toLowerCase()).not.toContain(AGENT.slice(0, 12));
    },
  );
});

test.each([undefined, 'Bearer anything', 'nonsense'])('[AU5] an open gateway takes %j for an admin', async header => {
  expect(await openVerifier({ tenant: 'acme' }).verify(header)).toEqual({
    tenant: 'acme',
    subject: 'anonymous',
    groups: [],
    admin: true,
    metered: false,
  });
});
