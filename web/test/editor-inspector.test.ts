import { enums } from '@signoff/render'
import { describe, expect, it } from 'vitest'
import { propertiesOf, stylePropertiesOf } from '../src/editor/inspector/properties.ts'
import en from '../src/editor/texts.en.json' with { type: 'json' }
import type { AnyBlock } from '../src/records/content/block.ts'
import { finishedColor, typedColor } from '../src/ui/form/typed-color.ts'

const blocks = enums.blockType.map(type => ({ type }) as AnyBlock)

describe('the controls of the inspector', () => {
  it('exist for every property of every block, with a name for people', () => {
    const properties = blocks.flatMap(block => [
      ...propertiesOf(block, block.type === 'stack'),
      ...stylePropertiesOf(block),
    ])
    expect(propertiesOf({ type: 'button' } as AnyBlock, false).map(({ name }) => name)).toEqual([
      'href',
      'variant',
      'color',
      'backgroundColor',
      'borderRadius',
      'align',
    ])
    const names = Object.keys(en.properties)
    expect(properties.map(({ name }) => name).filter(name => !names.includes(name))).toEqual([])
    const choices = properties.flatMap(({ control }) => (control.kind === 'choice' ? control.options : []))
    expect(choices.filter(option => !Object.keys(en.choices).includes(option))).toEqual([])
  })
})

describe('a typed colour', () => {
  it('needs no #, and is a colour with three or six digits at the end of the typing', () => {
    expect(typedColor('145aa0')).toBe('#145aa0')
    expect(typedColor('cad')).toBe('cad')
    expect(finishedColor(' 145AA0 ')).toBe('#145AA0')
    expect(finishedColor('cad')).toBe('#cad')
    expect(finishedColor('cadetblue')).toBe('cadetblue')
    expect(finishedColor('145a')).toBeUndefined()
  })
})
