// Names blocks as an editor does: by the name that the author gave, or by what the block shows.
import { iconLabel } from '@signoff/render'
import { uuid } from '#kernel/api/validation.ts'
import { type CheckInputs, isBlank } from './problems.ts'
import type { CheckedBlock, CheckedToken, PlacedBlock } from './tree.ts'

type NameInputs = Pick<CheckInputs, 'fields' | 'assets'>

const maxLength = 40

function excerpt(text: string): string {
  const characters = [...text.slice(0, 500).replace(/\s+/g, ' ').trim()]
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`
}

const labelOf = (fieldId: string, { fields }: NameInputs): string =>
  fields.get(fieldId.toLowerCase())?.label ?? 'Deleted smart field'

function wordsOf(tokens: readonly CheckedToken[], inputs: NameInputs): string {
  const texts = tokens.slice(0, 20).map(({ value, smartFieldUuid, prefix = '', suffix = '' }) => {
    const text = smartFieldUuid === undefined ? (value ?? '') : labelOf(smartFieldUuid, inputs)
    return text === '' ? '' : prefix + text + suffix
  })
  return excerpt(texts.join(''))
}

/** The last part of an address: `https://cdn.example/a/logo.png?v=2` is `logo.png`. */
function fileIn(address: string): string {
  const [path = ''] = address.split(/[?#]/)
  return path.split('/').filter(Boolean).at(-1) ?? ''
}

function pictureName({ assetUuid, src, smartFieldUuid, alt }: CheckedBlock, inputs: NameInputs): string {
  if (assetUuid !== undefined) return inputs.assets.get(assetUuid.toLowerCase())?.filename ?? alt ?? ''
  if (src !== undefined) return fileIn(src)
  return smartFieldUuid === undefined ? '' : labelOf(smartFieldUuid, inputs)
}

/** The first name that a block inside this one has. */
function nameInside({ children = [] }: CheckedBlock, inputs: NameInputs): string {
  for (const child of children) {
    const name = child.visible === false ? '' : nameOf(child, inputs)
    if (name !== '') return name
  }
  return ''
}

const withName = (kind: string, name: string): string => (name === '' ? kind : `${kind} ${excerpt(name)}`)
const iconName = (name = ''): string => `${iconLabel(name)} icon`
const around = (kind: string, block: CheckedBlock, inputs: NameInputs): string => {
  const inside = nameInside(block, inputs)
  return inside === '' ? kind : `${kind}: ${inside}`
}

const namesByType: Readonly<Record<string, (block: CheckedBlock, inputs: NameInputs) => string>> = {
  stack: (block, inputs) => around(block.direction === 'row' ? 'Row' : 'Column', block, inputs),
  text: ({ tokens = [] }, inputs) => wordsOf(tokens, inputs) || 'Empty text',
  image: (block, inputs) => withName('Image', pictureName(block, inputs)),
  icon: ({ name }) => iconName(name),
  button: ({ tokens = [] }, inputs) => withName('Button', wordsOf(tokens, inputs)),
  list: (block, inputs) => around('List', block, inputs),
  listItem: (block, inputs) => around('List item', block, inputs),
  listItemLabel: ({ icon, tokens = [] }, inputs) =>
    icon === undefined ? withName('Label', wordsOf(tokens, inputs)) : iconName(icon),
  socialList: (block, inputs) => around('Social icons', block, inputs),
  socialListItem: ({ name }) => iconName(name),
  divider: () => 'Divider',
  marketing: () => 'Campaign banner',
  qrCode: () => 'QR code',
}

function nameOf(block: CheckedBlock, inputs: NameInputs): string {
  const { displayName, type } = block
  // An editor that has no name for a block can have put its id here.
  if (displayName !== undefined && !isBlank(displayName) && !uuid.test(displayName.trim()))
    return excerpt(displayName)
  const name = namesByType[type]?.(block, inputs) ?? type
  return uuid.test(name) ? `Text ${name}` : name
}

export const blockName = ({ block, parent }: PlacedBlock, inputs: NameInputs): string =>
  parent === null && isBlank(block.displayName) ? 'The whole signature' : nameOf(block, inputs)
