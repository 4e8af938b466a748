// A picture in the place of another one, in a block and in a whole tree.

interface AssetSize {
  readonly id: string
  readonly width: number
  readonly height: number
}

interface ShownSize {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly shape?: string | undefined
}

/** Smaller differences cannot be seen. */
const sameProportions = 0.02

/**
 * The changes of an image block that shows another asset. The part that was cut out belongs to the old picture. The
 * height follows the new proportions, so that nothing is cut off; a circle stays one.
 */
export function newSource({ width, height, shape }: ShownSize, asset: AssetSize) {
  const isStretched =
    width !== undefined &&
    height !== undefined &&
    shape !== 'circle' &&
    Math.abs(width / height / (asset.width / asset.height) - 1) > sameProportions
  return {
    assetUuid: asset.id,
    smartFieldUuid: undefined,
    src: undefined,
    crop: undefined,
    ...(isStretched && { height: undefined }),
  }
}

interface AnyNode {
  readonly type?: string
  readonly assetUuid?: string
  readonly children?: readonly AnyNode[]
}

/** The tree with the new asset in all places of the old one; the same object when there are none. */
export function withReplacedAsset<Tree>(tree: Tree, oldId: string, asset: AssetSize): Tree {
  const node = tree as AnyNode
  if (node.type === 'image' && node.assetUuid?.toLowerCase() === oldId.toLowerCase())
    return withoutUndefined({ ...node, ...newSource(node as ShownSize, asset) }) as Tree
  if (!node.children) return tree
  const children = node.children.map(child => withReplacedAsset(child, oldId, asset))
  return children.every((child, index) => child === node.children?.[index])
    ? tree
    : ({ ...node, children } as Tree)
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined))

export const showsAsset = (content: unknown, assetId: string): boolean =>
  JSON.stringify(content ?? null)
    .toLowerCase()
    .includes(assetId.toLowerCase())
