// The assets and campaigns that content names.
import type { Content } from '@signoff/render'
import { blocksIn } from '../model/tree.ts'

export interface NamedInContent {
  readonly assets: readonly string[]
  readonly campaigns: readonly string[]
}

/** Sorted ids in lower case, each once. */
export function namedIn(...contents: readonly (Content | null | undefined)[]): NamedInContent {
  const assets = new Set<string>()
  const campaigns = new Set<string>()
  for (const content of contents)
    for (const block of content ? blocksIn(content) : []) {
      if (block.type === 'image' && block.assetUuid) assets.add(block.assetUuid.toLowerCase())
      if (block.type === 'marketing' && block.campaignUuid) campaigns.add(block.campaignUuid.toLowerCase())
    }
  return { assets: [...assets].sort(), campaigns: [...campaigns].sort() }
}
