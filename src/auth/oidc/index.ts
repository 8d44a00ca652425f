export { oidcVerifier, type OidcOptions, type TrustedIssuer } from './verifier.ts';
