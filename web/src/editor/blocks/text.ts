import { newId } from '#records/content/ids.ts'
import type { BlockDescriptor, BlockOf, NewBlock } from './descriptor.ts'
import { shownTokens } from './placeholder.ts'
import { fieldToken, wordToken } from './tokens.ts'

/** A text that shows one smart field. */
export const newField: NewBlock = {
  label: { en: 'Field', de: 'Feld' },
  icon: 'braces',
  asks: 'field',
  lack: 'noField',
  make({ brand, fields, fieldId }) {
    const field =
      fields.find(({ id }) => id === fieldId) ??
      fields.find(({ key }) => key === 'job_title') ??
      fields.find(({ kind }) => kind === 'text')
    return field ? { type: 'text', id: newId(), tokens: [fieldToken(field, brand)] } : null
  },
}

export const text: BlockDescriptor<BlockOf<'text'>> = {
  label: { en: 'Text', de: 'Text' },
  icon: 'type',
  offers: [
    {
      label: { en: 'Text', de: 'Text' },
      icon: 'type',
      isTyped: true,
      make: ({ brand, messages }) => ({
        type: 'text',
        id: newId(),
        tokens: [wordToken(messages.text, brand)],
      }),
    },
    newField,
  ],
  placeholder: (block, messages) => ({ ...block, tokens: shownTokens(block.tokens, messages) }),
}
