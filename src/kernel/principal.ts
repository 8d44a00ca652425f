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
}
