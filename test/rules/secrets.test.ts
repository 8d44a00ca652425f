import { expect, test } from 'vitest';
import { secretsIn } from '../../src/rules/secrets.ts';
import { QUOTE } from './world.ts';

test.each([
  ['private-key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['github-token', `ghp_${'a1B2'.repeat(9)}`],
  ['gitlab-token', `glpat-${'a1B2'.repeat(5)}`],
  ['slack-token', 'xoxb-1234567890-abcdef'],
  ['google-key', `AIza${'a1B2C'.repeat(7)}`],
  ['stripe-key', `sk_live_${'a1B2'.repeat(5)}`],
  ['model-key', `sk-ant-${'a1B2'.repeat(9)}`],
  ['gateway-bearer', `gn_${'a'.repeat(43)}`],
  ['jwt', `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.${'c'.repeat(12)}`],
  ['address-with-password', 'postgres://admin:hunter22@db.example.com/x'],
  ['named-secret', 'Das Passwort lautet Sommer2026!'],
  ['named-secret', 'password: "correct-Horse!battery"'],
  ['named-secret', 'API key = 9f86d081884c7d65'],
  ['named-secret', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY'],
  ['named-secret', 'signing-key: 9f86d081884c7d65'],
  ['bearer-header', `Bearer ${'a1B2'.repeat(9)}`],
])('[RU55] %s', (kind, text) => {
  expect(secretsIn(`Bitte merken. ${text} Danke.`)).toEqual([kind]);
});

test.each([
  'Passwords are changed every ninety days',
  'Das Passwort wird per Post verschickt',
  'Passwort: wird telefonisch mitgeteilt',
  'The token is returned once',
  'Token: Marktplatz-Rabattaktion',
  'see https://user.example.com:8443/path@2',
  'mail anna@example.com: ask for hook rails',
  'the secret is communication between the teams',
  'our key account is AKIA',
  'the bearer of this letter, the access key and the private key of the hall',
  'sk-learn is a library, gn_short is none',
  QUOTE,
])('[RU55] %j holds none', text => {
  expect(secretsIn(text)).toEqual([]);
});

test('[RU55] no text takes long', () => {
  for (const text of [
    'eyJ',
    'a:',
    '://',
    'password: ',
    '-----BEGIN ',
    'passwort ',
    'Bearer a',
    'Bearer  aaaa',
    'secret key ',
  ].map(part => part.repeat(100_000 / part.length))) {
    expect(secretsIn(text).length).toBeLessThan(3);
  }
});
