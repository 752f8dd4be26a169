import { testBlocks } from './scenarios.ts'
import { requests } from './tables/requests.ts'

testBlocks(requests)
