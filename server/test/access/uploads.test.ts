import { testBlocks } from './scenarios.ts'
import { uploads } from './table-uploads.ts'

testBlocks(uploads)
