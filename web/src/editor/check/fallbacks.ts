// Texts for people without a value.
import type { Content } from '@signoff/render'
import type { SmartField } from '@signoff/sdk'
import { fieldLabel } from '#api/field-labels.ts'
import { tokensOf } from '#records/content/block.ts'
import { blockOf } from '../model/tree.ts'
import { fieldsNeededBy } from '../preview/missing-values.ts'
import { changeTokensIn } from './change-tokens.ts'

/** The check names the field by its label. */
export const lackedField = (
  tree: Content,
  label: string | undefined,
  fields: readonly SmartField[],
): SmartField | undefined =>
  label === undefined
    ? undefined
    : fieldsNeededBy(tree, fields).find(
        ({ field }) => field.label === label || field.label === fieldLabel(label),
      )?.field

const isFieldOf = (fieldId: string, id: string | undefined): boolean => id?.toLowerCase() === fieldId

/** Whether a text of these blocks shows the field: pictures and links cannot have words instead. */
export const canHaveFallback = (tree: Content, ids: readonly string[], fieldId: string): boolean =>
  ids.some(id =>
    tokensOf(blockOf(tree, id) ?? tree)?.some(({ smartFieldUuid }) => isFieldOf(fieldId, smartFieldUuid)),
  )

export const withFallback = (
  tree: Content,
  ids: readonly string[],
  fieldId: string,
  fallback: string,
): Content =>
  ids.reduce(
    (changed, id) =>
      changeTokensIn(changed, id, token =>
        isFieldOf(fieldId, token.smartFieldUuid) && !token.fallback ? { ...token, fallback } : token,
      ),
    tree,
  )
