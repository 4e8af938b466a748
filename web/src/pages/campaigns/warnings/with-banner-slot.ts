// Content with a place for campaign banners, in full width below everything else.
import type { Content } from '@signoff/sdk'

interface Stack {
  readonly type: string
  readonly direction?: string
  readonly wrap?: boolean
  readonly dir?: string
  readonly children?: readonly Stack[]
}

/** The service gives ids to the new blocks. */
export function withBannerSlot(content: Content): Content {
  const { dir, ...row } = content as unknown as Stack
  // In a row the banner would be one of the columns.
  const root: Stack =
    row.direction === 'row'
      ? { type: 'stack', ...(dir && { dir }), children: [row] }
      : (content as unknown as Stack)
  const children = root.children ?? []
  // A row that wraps has a space below it already.
  const marginTop = children.at(-1)?.wrap ? 0 : 16
  return { ...root, children: [...children, { type: 'marketing', blockStyle: { marginTop } }] } as Content
}
