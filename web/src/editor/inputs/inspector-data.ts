// What the controls of the inspector need of the workspace.
import type { Brand, MarketingCampaign, SmartField } from '@signoff/sdk'
import { createContext, useContext } from 'react'
import type { PictureTarget } from '../model/pictures.ts'

export interface InspectorData {
  readonly brand: Brand | undefined
  readonly brandColors: readonly string[]
  readonly fields: readonly SmartField[]
  readonly campaigns: readonly Pick<MarketingCampaign, 'id' | 'name'>[]
  /** Opens the dialog for a picture. */
  readonly onPicture: (target: PictureTarget) => void
}

export const InspectorContext = createContext<InspectorData | undefined>(undefined)

export function useInspector(): InspectorData {
  const data = useContext(InspectorContext)
  if (!data) throw new Error('outside the inspector')
  return data
}

/** Pictures are no words. */
export const fieldsForText = <Field extends { readonly kind: string }>(
  fields: readonly Field[],
): readonly Field[] => fields.filter(({ kind }) => kind !== 'image')
