// What the editor knows about one type of block. blocks.ts lists the descriptors; palette, menus, outline, canvas and
// inspector read them.
import type { Content, IconName, Token } from '@signoff/render'
import type { Brand, SmartField } from '@signoff/sdk'
import type { AnyBlock } from '#records/content/block.ts'
import type { Language } from '#texts/languages.ts'
import type { EditorIconName } from '../kit/editor-outlines.ts'
import type { ContrastCheck } from '../model/colors.ts'

export type BlockLabel = Readonly<Record<Language, string>>

export interface NewBlockData {
  readonly brand: Brand | undefined
  readonly fields: readonly SmartField[]
  /** In the language of the person who edits. */
  readonly messages: { readonly text: string; readonly button: string }
  /** The description of the logo, for people who do not see it. */
  readonly company?: string | undefined
  /** The field that a new block shows; without it the job title. */
  readonly fieldId?: string | undefined
  /** The tree that gets the block: new social links look like those that are there. */
  readonly tree?: Content | undefined
}

/** An entry of the palette and of the menus: a new block that looks finished at once. */
export interface NewBlock {
  readonly label: BlockLabel
  readonly icon: EditorIconName
  /** Null when the workspace lacks what the block shows. */
  readonly make: (data: NewBlockData) => AnyBlock | null
  /** The message when `make` returns null. */
  readonly lack?: 'noLogo' | 'noField'
  /** The choice of a person before the block is made. */
  readonly asks?: 'field' | 'picture'
  /** The next keys are its words. */
  readonly isTyped?: true
  /** False: banners of campaigns cannot contain it. */
  readonly isForBanners?: false
}

/** The sources of the name of a block that has no name of its own. */
export interface NameSources {
  readonly iconName: (name: IconName) => string
  /** Undefined for a field that does not exist. */
  readonly fieldLabel: (id: string | undefined) => string | undefined
  readonly words: (tokens: readonly Token[]) => string
}

export interface PlaceholderMessages {
  /** A line in stacks and lists without blocks. */
  readonly dropHere: string
  readonly emptyText: string
  /** In the place of a campaign's banner. */
  readonly banner: string
  /** The label of a smart field; undefined for a field that does not exist. */
  readonly fieldLabel: (id: string) => string | undefined
}

/** The controls of the inspector come from the schema of the block, in its order. */
export interface BlockDescriptor<Block extends AnyBlock = AnyBlock> {
  readonly label: BlockLabel | ((block: Block) => BlockLabel)
  readonly icon: EditorIconName | ((block: Block) => EditorIconName)
  /** In the order of the palette. Parts of a list are offered only inside of a list. */
  readonly offers: readonly NewBlock[]
  /** Without it, the words of the block are its name. */
  readonly nameOf?: (block: Block, sources: NameSources) => string
  /** The block with something to show, for the canvas, where a mail would leave it out. */
  readonly placeholder?: (block: Block, messages: PlaceholderMessages) => AnyBlock
  /** The numbers that apply while a field of the inspector is empty. A test compares them with the renderer. */
  readonly standards?: (block: Block) => Readonly<Record<string, number>>
  /** From the top clockwise, of a block that says nothing about its padding. */
  readonly padding?: readonly number[]
  /** Properties of the schema without a control of their own. */
  readonly hides?: (block: Block, property: string) => boolean
  /** A section of the inspector beside the controls of the schema. */
  readonly section?: 'picture' | 'links'
  /** The names of properties and choices that no other block has. */
  readonly names?: Readonly<Record<string, BlockLabel>>
  /** The handle at the corner on the canvas: the property that it changes. */
  readonly corner?: { readonly name: 'width' | 'size'; readonly least: number }
  /** The pairs of colours that must be readable. `surface`: the background behind the block. */
  readonly contrast?: Partial<
    Readonly<
      Record<
        'color' | 'backgroundColor',
        (block: Block, surface: string | undefined) => readonly ContrastCheck[]
      >
    >
  >
  /** A part of a list, which has the padding. */
  readonly isPart?: true
}

export type BlockOf<Type extends AnyBlock['type']> = Extract<AnyBlock, { readonly type: Type }>

/** The place of a new block decides whether it keeps this: `insertNewBlocks`. */
export const spaceAbove = { blockStyle: { marginTop: 12 } } as const

export const defaultAccent = '#1f5fbf'
