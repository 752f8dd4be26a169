/** Every environment variable of the service starts so (specification §5, rule 11). */
export const environmentPrefix = 'SVCD_'

/** Names the configuration file; it is no key of that file. */
export const configFileVariable = 'SVCD_CONFIG'

/**
 * Where a word of a key starts: after a small letter, or at a capitalised word behind capitals or digits. So runs
 * of capitals stay together (`OIDC|Client|ID`) and digits stay with what they follow (`Idp1|Api`, `E2EE`).
 */
const wordStart = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])/g

/**
 * Environment variable of a configuration key: `MaxFileSizeStr` → `SVCD_MAX_FILE_SIZE_STR`, and of a member of a
 * section: `DataBackendConfig.Directory` → `SVCD_DATA_BACKEND_CONFIG_DIRECTORY`.
 */
export function environmentName(key: string): string {
  return environmentPrefix + key.replace('.', '_').replace(wordStart, '_').toUpperCase()
}

/** Environment variable with the path of a file that holds the value of a secret key. */
export function secretFileName(key: string): string {
  return `${environmentName(key)}_FILE`
}
