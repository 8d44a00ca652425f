/** Who calls, as a verifier established it (rules-gaps 11). Never taken from arguments or page text. */
export interface Principal {
  readonly tenant: string;
  /** Token `sub`, the dev identity, or `anonymous` on an open gateway. */
  readonly subject: string;
  /** Custom groups of the credential, reserved names already removed (E046-E051). Membership rows are added later. */
  readonly groups: readonly string[];
  readonly admin: boolean;
  /** False on an open gateway only (E039). */
  readonly metered: boolean;
  /** How the caller's grant for rules is looked up; absent when the credential can have none. */
  readonly grantIdentity?: GrantIdentity;
}

/** The identity a grant is made out to (rules-gaps 11): a lower-case e-mail, an Access common name, or a bearer's SHA-256. */
export interface GrantIdentity {
  readonly auth: 'email' | 'access-service' | 'bearer';
  readonly identity: string;
}
