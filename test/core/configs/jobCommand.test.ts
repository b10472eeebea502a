import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { readText } from './readConfigFixture.js';

const flags =
  '--model_name_or_path Qwen/Qwen3-0.6B --output_dir out --per_device_train_batch_size 4 --max_steps 100 --save_steps 10';

describe('a job for a cluster', () => {
  it('is the script that a task of SkyPilot runs, with its variables', async () => {
    const text = `resources:\n  accelerators: H100:8\nenvs:\n  STEPS: 2000\n  ODD: "a b; rm -rf /"\nrun: |\n  echo start\n  torchrun train.py ${flags} \\\n    --save_total_limit 3 --max_steps $STEPS\n`;
    const found = await readText('task.yaml', text);
    expect(found?.id).toBe('training-arguments');
    expect(found?.reading.plan).toMatchObject({ steps: 2000, saveIntervalSteps: 10, keep: 3 });
    // Places in the script are places in the file.
    const key = [...(found?.file.fields.used.values() ?? [])].find(({ path }) => path.at(-1) === 'save_total_limit');
    expect(text.slice(key?.node.span.start, key?.node.span.end)).toBe('3');
  });

  it.each([
    [
      'a service of Compose that runs the image of a server',
      'services:\n  db: {image: postgres, command: postgres -c a=b}\n  llm:\n    image: vllm/vllm-openai:v0.10.1\n    environment: {LEN: 8192}\n    command: >\n      --model Qwen/Qwen2.5-7B\n      --max-model-len ${LEN}\n',
    ],
    [
      'a service with an entry point of its own',
      'services:\n  llm:\n    image: mine\n    entrypoint: [python3, -m, sglang.launch_server]\n    command: ["--model-path", "Qwen/Qwen2.5-7B", "--context-length", "8192"]\n',
    ],
    [
      'the lines of a service of dstack',
      'type: service\nname: a\nenv:\n  - MODEL=Qwen/Qwen2.5-7B\n  - HF_TOKEN\ncommands:\n  - pip install vllm\n  - vllm serve $MODEL --max-model-len 8192\n',
    ],
    [
      'what a RayJob submits',
      'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  entrypoint: vllm serve Qwen/Qwen2.5-7B --max-model-len 8192\n  rayClusterSpec: {}\n',
    ],
    [
      'options alone of a container whose image serves',
      'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: vllm/vllm-openai:v0.8.5\n      args: ["--model", "Qwen/Qwen2.5-7B",\n        "--max-model-len=8192"]\n',
    ],
  ])('is %s', async (_name, text) => {
    const found = await readText('job.yaml', text);
    expect(found?.reading).toMatchObject({ model: { name: 'Qwen/Qwen2.5-7B' }, serving: { contextTokens: 8192 } });
  });

  it('is in a later document of the file, as manifests have their namespace and volumes first', async () => {
    const before = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: llm}\n---\n';
    const pod = `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - command: ["torchrun", "train.py", ${flags
      .split(' ')
      .map((word) => JSON.stringify(word))
      .join(', ')}]\n`;
    expect((await readText('pod.yaml', before + pod))?.reading.plan).toMatchObject({ steps: 100, saveIntervalSteps: 10 });
    // Each is read, up to a limit.
    const many = (count: number) => `a: 1\n---\n`.repeat(count) + pod;
    expect(await readText('pod.yaml', many(limits.yamlDocuments - 1))).not.toBeNull();
    expect(await readText('pod.yaml', many(limits.yamlDocuments + 1))).toBeNull();
  });

  it.each([
    'services:\n  web: {image: nginx, command: nginx -g daemon}\n  db: {image: postgres}\n',
    'services:\n  app: {image: python, command: python manage.py runserver 0.0.0.0:8000 --model x}\n',
    'services:\n  llm: {image: "vllm/vllm-openai:latest"}\n',
  ])('is nothing of other services: %j', async (text) => {
    expect(await readText('compose.yaml', text)).toBeNull();
  });

  it('is the command and the arguments of a container, with its variables', async () => {
    const words = flags.split(' ').map((word) => JSON.stringify(word === '10' ? '$SAVE' : word));
    const text = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
spec:
  pytorchReplicaSpecs:
    Worker:
      template:
        spec:
          containers:
            - name: pytorch
              env:
                - {name: SAVE, value: "25"}
              command:
                - torchrun
                - --nproc_per_node=8
                - train.py
              args: [${words.slice(0, 4).join(', ')},
                ${words.slice(4).join(', ')}]
`;
    expect((await readText('job.yaml', text))?.reading.plan).toMatchObject({ steps: 100, saveIntervalSteps: 25 });
  });

  it('is the script that a container gives its shell', async () => {
    const text = `apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - name: main\n        command: ["bash", "-c"]\n        args:\n        - |\n          cd /app\n          torchrun train.py ${flags}\n`;
    expect((await readText('job.yaml', text))?.reading.plan).toMatchObject({ steps: 100, saveIntervalSteps: 10 });
  });

  it('has the variables that Kubernetes puts in itself', async () => {
    const text = `apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - name: main\n        env: [{name: KEEP, value: "4"}]\n        command: [torchrun, train.py]\n        args: [${flags
      .split(' ')
      .map((word) => JSON.stringify(word))
      .join(', ')}, "--save_total_limit=$(KEEP)"]\n`;
    expect((await readText('job.yaml', text))?.reading.plan).toMatchObject({ saveIntervalSteps: 10, keep: 4 });
  });

  it.each(['>-', '>', '|'])('of several lines in a block of %s', async (sign) => {
    const isFolded = sign !== '|';
    const command = `torchrun train.py${isFolded ? '' : ' \\'}\n    ${flags.replaceAll(' --', `${isFolded ? '' : ' \\'}\n    --`)}`;
    const text = `resources: {cpus: 4}\nrun: ${sign}\n    ${command}\n`;
    expect((await readText('task.yaml', text))?.reading.plan).toMatchObject({ steps: 100, saveIntervalSteps: 10 });
  });

  it.each([
    ['a service', 'apiVersion: v1\nkind: Service\nspec:\n  ports: [{port: 80}]\n'],
    [
      'a server',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, command: [nginx, -g, daemon off;]}\n',
    ],
    ['a task that trains nothing', 'resources: {cpus: 4}\nrun: |\n  echo hello\n'],
    [
      'nodes that share one another',
      `apiVersion: v1\nkind: A\na: &a [x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [${i === 0 ? '*a, *a' : `*b${i - 1}, *b${i - 1}`}]`).join('\n')}\n`,
    ],
  ])('is none with %s', async (_, text) => {
    expect(await readText('job.yaml', text)).toBeNull();
  });

  it('leaves configs of training alone that have a key of that name', async () => {
    const text =
      'run: my experiment\nmodel_name_or_path: Qwen/Qwen3-0.6B\noutput_dir: out\nsave_steps: 5\nper_device_train_batch_size: 1\nnum_nodes: 2\n';
    expect((await readText('train.yaml', text))?.reading.plan).toMatchObject({ saveIntervalSteps: 5 });
  });
});
