// CommonJS gets the same types.
import { expectTypeOf } from "expect-type";
import respool = require("respool");
import slim = require("respool/slim");

expectTypeOf(respool.process).toBeFunction();
expectTypeOf(slim.initSync).toBeFunction();
