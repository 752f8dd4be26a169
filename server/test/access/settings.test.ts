import { testBlocks } from './scenarios.ts'
import { settings } from './tables/settings.ts'

testBlocks(settings)
