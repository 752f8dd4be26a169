/** The prefix of every environment variable of the service. */
export const environmentPrefix = 'SVCD_'

/** The variable that names the configuration file. It is not a key of that file. */
export const configFileVariable = 'SVCD_CONFIG'

/**
 * The start of a word in a key: after a lower-case letter, or at a capitalised word after capitals or digits. Runs of
 * capitals stay together (`OIDC|Client|ID`), and digits belong to the word before them (`Idp1|Api`, `E2EE`).
 */
const wordStart = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])/g

/**
 * Environment variable of a configuration key: `MaxFileSizeStr` → `SVCD_MAX_FILE_SIZE_STR`, and of a member of a
 * section: `DataBackendConfig.Directory` → `SVCD_DATA_BACKEND_CONFIG_DIRECTORY`.
 */
export function environmentName(key: string): string {
  return environmentPrefix + key.replace('.', '_').replace(wordStart, '_').toUpperCase()
}

/** Environment variable with the path of a file that contains the value of a secret key. */
export function secretFileName(key: string): string {
  return `${environmentName(key)}_FILE`
}
