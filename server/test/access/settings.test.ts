import { testBlocks } from './scenarios.ts'
import { settings } from './table-settings.ts'

testBlocks(settings)
