import packageFile from '../../package.json' with { type: 'json' }

/** The version of the checkout. */
export const { version: currentVersion } = packageFile

/** The next major version, of which no package exists. */
export const newerVersion = `${String(Number(currentVersion.split('.')[0]) + 1)}.0.0`
