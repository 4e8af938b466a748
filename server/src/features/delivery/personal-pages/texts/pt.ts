import type { PageTexts } from './page-texts.ts'

const copy = 'Escolha «Copiar assinatura» acima.'

export const portuguesePage: PageTexts = {
  title: 'A sua assinatura de e-mail',
  states: {
    never: 'A sua assinatura está pronta. Copie-a e cole-a no seu programa de e-mail: demora um minuto.',
    outdated: 'Há uma nova versão. Copie a assinatura outra vez e substitua a que tem.',
    current: 'Tem a assinatura atual. Não há nada a fazer; pode voltar a copiá-la quando quiser.',
  },
  noSignature:
    'Ainda não há assinatura para este endereço. Está tudo bem e não há nada a fazer: assim que receber uma, estará aqui.',
  copyStates: {
    current: 'Tem a assinatura atual. Cole-a no seu programa de e-mail, se ainda não o fez.',
    outdated: 'A sua assinatura mudou desde que esta página foi aberta. Recarregue a página e copie a nova.',
    none: 'Já não há assinatura para este endereço. Recarregue a página para confirmar.',
  },
  signature: 'Como fica',
  whichSignature: 'Que assinatura?',
  kinds: { new: 'Para novas mensagens', reply: 'Para respostas' },
  subjects: { new: 'Nova mensagem', reply: 'Re: A sua mensagem' },
  sampleMail: ['Olá,', 'é assim que os seus e-mails vão ficar.'],
  noReply:
    'As respostas não levam assinatura: escolha «sem assinatura» para respostas no seu programa de e-mail.',
  copy: { rich: 'Copiar assinatura', text: 'Copiar como texto', source: 'Copiar o código HTML' },
  copied: {
    rich: 'Copiada. Cole-a agora no seu programa de e-mail: os passos estão abaixo.',
    text: 'Copiada como texto.',
    source: 'O código HTML está copiado.',
  },
  copyRefused:
    'O seu navegador não permite copiar aqui. A assinatura está selecionada: prima Ctrl+C, ou ⌘C num Mac.',
  byHand:
    'Os botões para copiar precisam de JavaScript. Sem ele, selecione a assinatura com o rato e copie-a.',
  onDark: 'Mostrar num fundo escuro',
  install: 'Como instalar',
  likely: 'Provavelmente o seu',
  programs: {
    gmail: {
      name: 'Gmail',
      steps: [
        copy,
        'Abra o Gmail num computador, escolha a roda dentada em cima à direita e «Ver todas as definições».',
        'Em «Geral», desça até «Assinatura» e escolha «Criar nova». O nome é livre.',
        'Clique na caixa vazia e cole.',
        'Por baixo, escolha esta assinatura para novos e-mails e, se quiser, para respostas.',
        'No fundo da página, escolha «Guardar alterações».',
      ],
      note: 'A aplicação Gmail do telemóvel tem uma assinatura própria só de texto: use «Copiar como texto».',
    },
    outlook_web: {
      name: 'Outlook na Web',
      steps: [
        copy,
        'Abra o Outlook no navegador e escolha a roda dentada em cima à direita.',
        'Vá a «Conta» e depois «Assinaturas». Em versões mais antigas: «Correio», «Compor e responder».',
        'Escolha «Adicionar assinatura», ou a que tem, e cole na caixa.',
        'Escolha-a como predefinida para novas mensagens e respostas e depois «Guardar».',
      ],
    },
    new_outlook: {
      name: 'Novo Outlook para Windows e Mac',
      steps: [
        copy,
        'Abra as definições: a roda dentada em cima à direita no Windows, «Outlook» e «Definições» num Mac.',
        'Vá a «Contas» e depois «Assinaturas» (num Mac, diretamente «Assinaturas»).',
        'Adicione uma assinatura, ou abra a que tem, e cole.',
        'Escolha-a como predefinida para novas mensagens e respostas, e guarde.',
      ],
    },
    classic_outlook: {
      name: 'Outlook clássico para Windows',
      steps: [
        copy,
        'Vá a «Ficheiro», «Opções», «Correio» e depois «Assinaturas…».',
        'Escolha «Nova» e dê-lhe um nome.',
        'Clique na caixa e cole com Ctrl+V.',
        'Em cima à direita, escolha-a para novas mensagens e respostas e depois «OK».',
      ],
    },
    outlook_phone: {
      name: 'Outlook no telemóvel',
      steps: [
        'Abra esta página no telemóvel e escolha «Copiar assinatura».',
        'No Outlook, toque na sua foto em cima à esquerda e depois na roda dentada.',
        'Toque em «Assinatura», apague o que lá está, mantenha o dedo na caixa vazia e cole.',
        'Volte atrás; está guardada.',
      ],
      note: 'Alguns telemóveis guardam só o texto. Nesse caso «Copiar como texto» fica melhor.',
    },
    apple_mail: {
      name: 'Apple Mail',
      steps: [
        copy,
        'No Mail no Mac, escolha «Mail», «Definições» e depois «Assinaturas».',
        'Escolha a sua conta à esquerda, depois «+», e dê um nome à assinatura.',
        'Desmarque «Corresponder sempre ao meu tipo de letra predefinido».',
        'Selecione o texto à direita e cole por cima. Feche a janela; está guardada.',
      ],
      note: 'Nessa janela podem faltar imagens. Nos seus e-mails estão lá. Num iPhone: «Definições», «Apps», «Mail», «Assinatura».',
    },
    thunderbird: {
      name: 'Thunderbird',
      steps: [
        'Escolha «Copiar o código HTML» acima.',
        'No Thunderbird, abra o menu (☰), escolha «Configurar contas» e depois a sua conta.',
        'Marque «Usar HTML» ao lado de «Texto da assinatura».',
        'Cole na caixa por baixo. É guardado automaticamente.',
      ],
    },
  },
  details: {
    title: 'Os seus dados',
    intro: 'Corrija o que não estiver certo. A sua assinatura acompanha.',
    save: 'Guardar',
    done: {
      saved: 'Guardado. A sua assinatura já o mostra.',
      waiting: 'Enviado. Aparece na sua assinatura assim que for aprovado.',
      removed: 'A fotografia foi removida.',
      withdrawn: 'O seu pedido foi retirado.',
    },
    needsApproval: 'Uma alteração precisa de aprovação.',
    waits: current => `A aguardar aprovação. Até lá, a sua assinatura mostra: ${current}`,
    waitsForRemoval: 'A aguardar aprovação: o valor será removido.',
    approved: 'Aprovado. A sua assinatura já o mostra.',
    approvedRemoval: 'Aprovado: o valor foi removido.',
    rejected: value => `Não aprovado: ${value}`,
    reason: text => `Motivo: ${text}`,
    withdraw: 'Retirar',
    empty: 'nada',
    problems: {
      text: 'Este valor não é válido.',
      url: 'Não é um endereço web como https://example.com.',
      email: 'Não é um endereço de e-mail.',
      phone: 'Não é um número de telefone como +351 21 123 4567.',
      too_long: 'É demasiado longo: no máximo 5000 caracteres.',
      locked: 'Este valor já não pode ser alterado aqui.',
    },
    someWrong: 'Ainda nada foi guardado: corrija os campos assinalados.',
  },
  picture: {
    none: 'Ainda sem fotografia',
    add: 'Adicionar fotografia',
    change: 'Mudar fotografia',
    remove: 'Remover',
    waits: 'Esta fotografia aguarda aprovação.',
    approved: 'Esta fotografia foi aprovada.',
    rejected: 'Esta fotografia não foi aprovada.',
    needsScript: 'Para mudar a fotografia é preciso JavaScript.',
    crop: 'Escolha a parte que é mostrada',
    cropHelp: 'Arraste a imagem ou mova-a com as setas. Amplie com + e −.',
    zoom: 'Ampliação',
    use: 'Usar esta fotografia',
    cancel: 'Cancelar',
    sending: 'A enviar a fotografia …',
    unreadable: 'Este ficheiro não é uma imagem que o navegador consiga abrir. Escolha um JPEG ou PNG.',
    failed: 'Não foi possível guardar a fotografia. Tente outra vez.',
    limited: 'Demasiadas alterações em pouco tempo. Tente outra vez dentro de alguns minutos.',
  },
  fields: {
    first_name: 'Nome próprio',
    last_name: 'Apelido',
    job_title: 'Cargo',
    department: 'Departamento',
    company: 'Empresa',
    work_phone: 'Telefone do trabalho',
    mobile_phone: 'Telemóvel',
    calendar_link: 'Ligação do calendário',
    profile_picture: 'Fotografia',
  },
  oldLink: {
    title: 'Esta ligação é antiga',
    explanation: address =>
      `Para sua segurança, as ligações para páginas pessoais funcionam durante um tempo limitado. Enviamos com gosto uma nova para ${address}.`,
    button: 'Enviar-me uma nova ligação',
    sentTitle: 'Veja a sua caixa de correio',
    sent: address =>
      `Uma nova ligação vai a caminho de ${address}. Se não chegar dentro de alguns minutos, veja a pasta de spam ou tente mais tarde.`,
    withoutMail: 'Peça uma nova ligação à pessoa que gere as assinaturas na sua empresa.',
  },
  missing: {
    title: 'Esta página não existe',
    explanation:
      'A ligação não está completa ou foi substituída por uma nova. Peça a ligação atual à pessoa que lha enviou.',
  },
  problem: {
    title: 'Não funcionou',
    cross_origin: 'Outro site enviou este formulário. Nada foi alterado.',
    rate_limited: 'Houve demasiadas alterações em pouco tempo. Tente outra vez dentro de alguns minutos.',
    unreadable_form: 'Não foi possível ler o formulário. Nada foi alterado.',
    unavailable: 'Algo correu mal do nosso lado. Tente outra vez daqui a pouco.',
    back: 'Voltar à sua página',
  },
  privacy: 'Esta página é só para si: uma pessoa que tenha o endereço pode ver e alterar o que vê aqui.',
}
