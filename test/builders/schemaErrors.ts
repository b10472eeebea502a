/** What a value breaks of a JSON schema, so that a failure names the property. */
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';

/** Compiles a schema of draft 2020-12, strictly. */
export function compileSchema(schema: object, { strictTypes = false } = {}): ValidateFunction {
  return new Ajv({ allErrors: true, strict: true, strictTypes, allowUnionTypes: true }).compile(schema);
}

/** Compiles the schema of a file. */
export function compileSchemaFile(file: string, options = {}): ValidateFunction {
  return compileSchema(JSON.parse(readFileSync(file, 'utf8')) as object, options);
}

/** A line for each rule that the value breaks: `/files/0/bytes must be integer {"type":"integer"}`. */
export function schemaErrors(validate: ValidateFunction, value: unknown): string[] {
  return validate(value) ? [] : (validate.errors ?? []).map(errorText);
}

function errorText({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath === '' ? 'the root' : instancePath} ${message} ${JSON.stringify(params)}`;
}
