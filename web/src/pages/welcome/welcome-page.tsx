import { CompanyStep } from './company-step.tsx'
import { DesignStep } from './design-step.tsx'
import { PeopleStep } from './people-step.tsx'
import { PublishStep } from './publish-step.tsx'
import { useStep } from './steps.ts'

const parts = { company: CompanyStep, people: PeopleStep, design: DesignStep, publish: PublishStep } as const

export default function WelcomePage() {
  const [step] = useStep()
  const Step = parts[step]
  return <Step />
}
