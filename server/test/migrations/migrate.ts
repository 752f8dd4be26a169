/**
 * `node migrate.ts CONFIG`: migrates the database of a `MetadataBackendConfig` in JSON, as the start of a server does. A
 * test can kill this process.
 */
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore } from '../../src/metadata/store.ts'

const config = JSON.parse(process.argv[2] ?? '') as MetadataBackendConfig
const store = await openMetadataStore(await openDialect(config, 'service', () => undefined))
await store.close()
