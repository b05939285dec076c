/** The little of Trusted Types that is used here; TypeScript's own library does not have it yet. */
interface TrustedTypePolicyMaker {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}
interface Window {
  readonly trustedTypes?: TrustedTypePolicyMaker;
}
