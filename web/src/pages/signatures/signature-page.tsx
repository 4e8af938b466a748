import { useState } from 'react'
import type { PreviewKind } from '#records/signatures/preview-state.ts'
import { ProblemsCard } from '#records/signatures/problems-card.tsx'
import { DetailsCard } from './preview/details-card.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { VariantsCard } from './preview/variants-card.tsx'
import { SignatureLayout, useSignature } from './signature-layout.tsx'

export default function SignaturePage() {
  const signature = useSignature()
  const [kind, setKind] = useState<PreviewKind>('new')
  return (
    <SignatureLayout>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <PreviewPanel signature={signature} kind={kind} onKind={setKind} />
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <ProblemsCard signature={signature} kind={kind} />
          <VariantsCard signature={signature} />
          <DetailsCard key={signature.id} signature={signature} />
        </div>
      </div>
    </SignatureLayout>
  )
}
