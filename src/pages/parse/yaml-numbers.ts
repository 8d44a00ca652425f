import { defineScalarTag, floatCoreTag, intCoreTag, NOT_RESOLVED } from 'js-yaml';

const LEADING_ZERO = /^[-+]?0\d+$/;
const DIGITS = /^[-+]?\d+$/;

/** Postcodes (`01067`) and integers that a double cannot hold stay the text they were written as (E103). */
export const integer = defineScalarTag<number>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: intCoreTag.implicitFirstChars,
  identify: intCoreTag.identify,
  resolve(source, isExplicit, tagName) {
    const value = intCoreTag.resolve(source, isExplicit, tagName);
    if (isExplicit || value === NOT_RESOLVED) return value;
    return Number.isSafeInteger(value) && !LEADING_ZERO.test(source) ? value : NOT_RESOLVED;
  },
});

/** Infinity and NaN have no JSON form: they stay text. Digits alone are the business of `integer`. */
export const float = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: floatCoreTag.implicitFirstChars,
  identify: floatCoreTag.identify,
  resolve(source, isExplicit, tagName) {
    if (!isExplicit && DIGITS.test(source)) return NOT_RESOLVED;
    const value = floatCoreTag.resolve(source, isExplicit, tagName);
    return Number.isFinite(value) ? value : NOT_RESOLVED;
  },
});
